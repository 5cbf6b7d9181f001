import { expect } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { stateHash } from '../engine/state-hash.ts'

/**
 * Runs calls that must not change the state, and checks it, unless `isRefused` says that they were accepted. What the clock
 * does meanwhile, such as the snapshot of prices at a full hour, is no change of theirs.
 */
export async function changesNothing<Answer>(
  engine: Engine,
  run: () => Promise<Answer>,
  isRefused: (answer: Answer) => boolean = () => true,
): Promise<Answer> {
  const authors: string[] = []
  const stopListening = engine.onCommitted(({ entry }) => void authors.push(entry.author.type))
  const before = stateHash(engine.core())
  const answer = await run()
  // Resolves once everything decided so far is committed.
  await engine.read(() => null)
  stopListening()
  if (!isRefused(answer)) return answer
  expect(authors.filter((author) => author !== 'clock')).toEqual([])
  if (authors.length === 0) expect(stateHash(engine.core())).toBe(before)
  return answer
}
