// How often painted terminals change their picture.

/** All are painted in one go, fifteen times a second at most: the eye reads no faster. */
export const PAINT_EVERY_MS = 66;
/** While the plane moves under a hand, the frames belong to the move. */
export const PAINT_MOVING_MS = 250;
