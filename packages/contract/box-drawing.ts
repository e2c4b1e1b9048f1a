// Which lines meet in each box drawing character, and which dots are in a braille one. Pure data; the page and the pictures draw them, each in its own way.

/** 0 none, 1 light, 2 heavy, 3 double. */
export type BoxWeight = 0 | 1 | 2 | 3;
export type BoxArms = readonly [up: BoxWeight, right: BoxWeight, down: BoxWeight, left: BoxWeight];

/** U+2500 to U+257F: up, right, down, left. Dots stand for what is no junction: dashes, arcs and diagonals. */
const ARMS =
  "0101 0202 1010 2020 .... .... .... .... .... .... .... .... 0110 0210 0120 0220 " +
  "0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120 " +
  "2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212 " +
  "0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212 " +
  "2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 .... .... .... .... " +
  "0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130 " +
  "3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 .... .... .... " +
  ".... .... .... .... 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010";

/** Every junction by its code point. */
export const BOX_ARMS: ReadonlyMap<number, BoxArms> = new Map(
  ARMS.split(" ").flatMap((arms, index): [number, BoxArms][] =>
    arms === "...." ? [] : [[0x2500 + index, [...arms].map(Number) as unknown as BoxArms]],
  ),
);

/** Column and row of the dots of U+2800 and up, by bit: the fourth row came later to the script and to the bits. */
export const BRAILLE_DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;
