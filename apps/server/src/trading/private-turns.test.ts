import { describe, expect, it } from 'vitest'
import { createPrivateTurns } from './private-turns.ts'

function turns() {
  const heard: string[] = []
  const errors: unknown[] = []
  const line = createPrivateTurns(100, (error) => errors.push(error))
  const say = (text: string) => async (last: number) => void heard.push(`${text} ${last}`)
  const done = (userId: number) => line.inTurn(userId, () => Promise.resolve())
  return { line, heard, errors, say, done }
}

describe('the private messages of a user', () => {
  it('are numbered one by one in the order of the changes', async () => {
    const { line, heard, say, done } = turns()
    line.change(3, 2, say('a'))
    line.change(3, 1, say('b'))
    line.change(3, 1, say('c'))
    await done(3)
    expect(heard).toEqual(['a 100', 'b 102', 'c 103'])
    expect(line.last(3)).toBe(104)
  })

  it('wait for the one before, however long it takes', async () => {
    const { line, heard, say, done } = turns()
    let letGo = () => undefined as void
    const held = new Promise<void>((resolve) => (letGo = resolve))
    line.change(3, 1, () => held)
    line.change(3, 1, say('second'))
    line.change(4, 1, say('of another user'))
    await done(4)
    expect(heard).toEqual(['of another user 100'])
    expect(line.last(3)).toBe(100)
    letGo()
    await done(3)
    expect(heard).toEqual(['of another user 100', 'second 101'])
  })

  it('keep their numbers when they cannot be told, so that a gap is seen', async () => {
    const { line, heard, errors, say, done } = turns()
    line.change(3, 2, () => Promise.reject(new Error('no tables')))
    line.change(3, 1, say('next'))
    await done(3)
    expect(heard).toEqual(['next 102'])
    expect(errors).toHaveLength(1)
  })

  it('leave room between for what has no number: it repeats the last one told', async () => {
    const { line, heard, say, done } = turns()
    line.join(3)
    void line.inTurn(3, say('figures'))
    line.change(3, 1, say('change'))
    void line.inTurn(3, say('figures'))
    await done(3)
    expect(heard).toEqual(['figures 100', 'change 100', 'figures 101'])
    expect([line.has(3), line.has(4)]).toEqual([true, false])
  })
})
