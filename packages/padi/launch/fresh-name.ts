// A name for a worktree that nobody has thought of one for. Pure but for the dice that it is given.
const QUALITIES = [
  ..."amber bold brave bright brisk calm clear clever cosy crisp deft early eager fair fleet fond fresh gentle".split(
    " ",
  ),
  ..."glad golden grand green happy hardy honest keen kind light lively lucky mellow merry mild neat nimble".split(
    " ",
  ),
  ..."noble patient plain proud quick quiet rapid ready robust silver sleek smart solid spry steady sunny".split(
    " ",
  ),
  ..."sure swift tidy trim true vivid warm wise witty young".split(" "),
];
const THINGS = [
  ..."acorn alder anchor aspen badger beacon birch bison bramble breeze brook canyon cedar comet coral crane".split(
    " ",
  ),
  ..."creek curlew delta dune ember falcon fern finch fjord forest gale garnet glade harbor heron hill ibis".split(
    " ",
  ),
  ..."iris island juniper lagoon lake lark linden lynx maple marsh meadow mesa moss oak orchid osprey otter".split(
    " ",
  ),
  ..."owl pebble pine prairie quail quartz raven reef ridge river robin sable sparrow spruce stone stork summit".split(
    " ",
  ),
  ..."swallow thicket thistle tide vale willow wren yarrow".split(" "),
];
const TRIES = 40;

/** Two words that `taken` does not hold; with a number behind them when the words are used up. */
export function freshName(taken: ReadonlySet<string>, random: () => number = Math.random): string {
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)]!;
  for (let tries = 0; tries < TRIES; tries++) {
    const name = `${one(QUALITIES)}-${one(THINGS)}`;
    if (!taken.has(name)) return name;
  }
  const name = `${one(QUALITIES)}-${one(THINGS)}`;
  for (let n = 2; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`;
}
