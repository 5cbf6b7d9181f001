import { expect, test } from 'vitest'
import { createSemaphore } from './concurrency.ts'

/** The callers that have acquired memory so far, in their order. */
function callersOf(semaphore: ReturnType<typeof createSemaphore>) {
  const started: string[] = []
  const releases = new Map<string, () => void>()
  const acquire = async (name: string, bytes: number) => {
    const release = await semaphore.acquire(bytes)
    if (!release) return
    started.push(name)
    releases.set(name, release)
  }
  return {
    started,
    acquire: (name: string, bytes: number) => void acquire(name, bytes),
    release: (name: string) => releases.get(name)?.(),
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('callers that find too little memory wait, and none overtakes another', async () => {
  const { started, acquire, release } = callersOf(createSemaphore(10, 9))
  acquire('first', 6)
  acquire('large', 5)
  acquire('small', 1)
  await nextTurn()
  expect(started).toEqual(['first'])
  release('first')
  await nextTurn()
  expect(started).toEqual(['first', 'large', 'small'])
})

test('a caller that needs exactly what is left starts, and one byte more waits', async () => {
  const { started, acquire } = callersOf(createSemaphore(10, 9))
  acquire('first', 6)
  acquire('fits', 4)
  acquire('late', 1)
  await nextTurn()
  expect(started).toEqual(['first', 'fits'])
})

test('memory is released once, however often the caller releases it', async () => {
  const { started, acquire, release } = callersOf(createSemaphore(10, 9))
  acquire('first', 6)
  await nextTurn()
  release('first')
  release('first')
  acquire('second', 10)
  acquire('third', 1)
  await nextTurn()
  expect(started).toEqual(['first', 'second'])
})

test('a caller that needs more than the limit runs alone', async () => {
  const { started, acquire, release } = callersOf(createSemaphore(10, 9))
  acquire('first', 1)
  acquire('giant', 99)
  await nextTurn()
  release('first')
  await nextTurn()
  expect(started).toEqual(['first', 'giant'])
})

test('a caller beyond the longest queue is refused', async () => {
  const semaphore = createSemaphore(10, 1)
  await semaphore.acquire(10)
  void semaphore.acquire(1)
  expect(await semaphore.acquire(1)).toBeNull()
})
