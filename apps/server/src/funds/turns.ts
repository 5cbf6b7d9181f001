/** Does work of one name one after the other: what it looks at first is still so when it acts. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work)
    const over = turn.then(
      () => null,
      () => null,
    )
    last.set(name, over)
    void over.then(() => last.get(name) === over && last.delete(name))
    return turn
  }
}
