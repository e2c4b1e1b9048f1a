/** The hidden verb of `kolu` that answers another machine's kolu. */
export const QUESTION_VERB = "__endpoint";
