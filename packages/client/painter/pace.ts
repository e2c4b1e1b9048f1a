// How often painted terminals change their picture.

/** All are painted in one go, fifteen times a second at most: the eye reads no faster. */
export const PAINT_EVERY_MS = 66;
/** Painting takes at most this part of the time: on a slow or busy machine pictures change less often instead. */
export const SHARE_OF_TIME = 4;
/** While the plane moves under a hand or somebody types, the frames belong to that. */
export const PAINT_MOVING_MS = 250;
/** Typing is over when no key has come for this long. */
export const TYPING_REST_MS = 400;
