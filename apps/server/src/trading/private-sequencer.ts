/** Numbers each user's private messages in one sequence and sends them in that order. */
export type PrivateSequencer = {
  /** Starts numbering a user's changes. Other users' changes are not numbered, as no client has seen a number of theirs. */
  join(userId: number): void
  has(userId: number): boolean
  /** Assigns the next `count` numbers to a change and queues its work; `last` is the number before the first. */
  change(userId: number, count: number, work: (last: number) => Promise<void>): void
  /** Queues work without a number; `last` is that of the last published message. Resolves when the work is done. */
  enqueue(userId: number, work: (last: number) => Promise<void>): Promise<void>
  /** The number of the last published message. */
  last(userId: number): number
}

type UserQueue = { assigned: number; published: number; tail: Promise<void> }

/**
 * A change whose work fails keeps its numbers: a client that sees the gap fetches again. Numbering begins after `first`,
 * which grows with the journal, so that no number is ever repeated.
 */
export function createPrivateSequencer(first: number, onError: (error: unknown) => void): PrivateSequencer {
  const queues = new Map<number, UserQueue>()
  const queueOf = (userId: number): UserQueue => {
    const known = queues.get(userId)
    if (known) return known
    const queue = { assigned: first, published: first, tail: Promise.resolve() }
    queues.set(userId, queue)
    return queue
  }
  const append = (queue: UserQueue, work: () => Promise<void>): Promise<void> => {
    queue.tail = queue.tail.then(work).catch(onError)
    return queue.tail
  }
  return {
    join: (userId) => void queueOf(userId),
    has: (userId) => queues.has(userId),
    change: (userId, count, work) => {
      const queue = queueOf(userId)
      const before = queue.assigned
      const after = before + count
      queue.assigned = after
      void append(queue, () =>
        work(before).finally(() => {
          queue.published = after
        }),
      )
    },
    enqueue: (userId, work) => {
      const queue = queueOf(userId)
      return append(queue, () => work(queue.published))
    },
    last: (userId) => queues.get(userId)?.published ?? first,
  }
}
