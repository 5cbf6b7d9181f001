/** Numbers the private messages of each user in one sequence, and sends them in that order. */
export type PrivateSequencer = {
  /** Takes a user in, from now on. Nobody else's changes are numbered: no client knows a number of theirs. */
  join(userId: number): void
  has(userId: number): boolean
  /** Gives the next numbers to a change, and does the work when its turn comes; `last` is the number before the first. */
  change(userId: number, count: number, work: (last: number) => Promise<void>): void
  /** Does the work in turn, without a number; `last` is that of the last message told. Resolves once its turn is over. */
  inTurn(userId: number, work: (last: number) => Promise<void>): Promise<void>
  /** The number of the last message told. */
  last(userId: number): number
}

type Line = { given: number; told: number; turn: Promise<void> }

/**
 * A change whose work fails keeps its numbers: whoever sees the gap fetches again. `first` is what numbering begins after; it
 * grows with the journal, so that no number comes twice in its life.
 */
export function createPrivateSequencer(first: number, onError: (error: unknown) => void): PrivateSequencer {
  const lines = new Map<number, Line>()
  const lineOf = (userId: number): Line => {
    const known = lines.get(userId)
    if (known) return known
    const line = { given: first, told: first, turn: Promise.resolve() }
    lines.set(userId, line)
    return line
  }
  const queue = (line: Line, work: () => Promise<void>): Promise<void> => {
    line.turn = line.turn.then(work).catch(onError)
    return line.turn
  }
  return {
    join: (userId) => void lineOf(userId),
    has: (userId) => lines.has(userId),
    change: (userId, count, work) => {
      const line = lineOf(userId)
      const before = line.given
      const after = before + count
      line.given = after
      void queue(line, () =>
        work(before).finally(() => {
          line.told = after
        }),
      )
    },
    inTurn: (userId, work) => {
      const line = lineOf(userId)
      return queue(line, () => work(line.told))
    },
    last: (userId) => lines.get(userId)?.told ?? first,
  }
}
