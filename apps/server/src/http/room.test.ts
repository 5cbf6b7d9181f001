import { expect, test } from 'vitest'
import { createRoom } from './room.ts'

/** Who has been let in so far, in their order. */
function visitors(room: ReturnType<typeof createRoom>) {
  const inside: string[] = []
  const leaving = new Map<string, () => void>()
  const come = async (name: string, bytes: number) => {
    const leave = await room.take(bytes)
    if (!leave) return
    inside.push(name)
    leaving.set(name, leave)
  }
  return {
    inside,
    come: (name: string, bytes: number) => void come(name, bytes),
    leave: (name: string) => leaving.get(name)?.(),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('whoever finds no room waits, and nobody overtakes', async () => {
  const { inside, come, leave } = visitors(createRoom(10, 9))
  come('first', 6)
  come('large', 5)
  come('small', 1)
  await turn()
  expect(inside).toEqual(['first'])
  leave('first')
  await turn()
  expect(inside).toEqual(['first', 'large', 'small'])
})

test('room is given back once, however often somebody leaves', async () => {
  const { inside, come, leave } = visitors(createRoom(10, 9))
  come('first', 6)
  await turn()
  leave('first')
  leave('first')
  come('second', 10)
  come('third', 1)
  await turn()
  expect(inside).toEqual(['first', 'second'])
})

test('who needs more than there is comes in alone', async () => {
  const { inside, come, leave } = visitors(createRoom(10, 9))
  come('first', 1)
  come('giant', 99)
  await turn()
  leave('first')
  await turn()
  expect(inside).toEqual(['first', 'giant'])
})

test('so many wait, and no more', async () => {
  const room = createRoom(10, 1)
  await room.take(10)
  void room.take(1)
  expect(await room.take(1)).toBeNull()
})
