/** Lets one piece of work begin after the other has ended, well or not. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => null)
    return turn
  }
}
