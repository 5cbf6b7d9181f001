import { describe, expect, it } from 'vitest'
import { createPrivateSequencer } from './private-sequencer.ts'

function turns() {
  const heard: string[] = []
  const errors: unknown[] = []
  const line = createPrivateSequencer(100, (error) => errors.push(error))
  const translate = (text: string) => async (last: number) => void heard.push(`${text} ${last}`)
  const done = (userId: number) => line.inTurn(userId, () => Promise.resolve())
  return { line, heard, errors, translate, done }
}

describe('the private messages of a user', () => {
  it('are numbered one by one in the order of the changes', async () => {
    const { line, heard, translate, done } = turns()
    line.change(3, 2, translate('a'))
    line.change(3, 1, translate('b'))
    line.change(3, 1, translate('c'))
    await done(3)
    expect(heard).toEqual(['a 100', 'b 102', 'c 103'])
    expect(line.last(3)).toBe(104)
  })

  it('wait for the one before, however long it takes', async () => {
    const { line, heard, translate, done } = turns()
    let letGo = () => undefined as void
    const held = new Promise<void>((resolve) => (letGo = resolve))
    line.change(3, 1, () => held)
    line.change(3, 1, translate('second'))
    line.change(4, 1, translate('of another user'))
    await done(4)
    expect(heard).toEqual(['of another user 100'])
    expect(line.last(3)).toBe(100)
    letGo()
    await done(3)
    expect(heard).toEqual(['of another user 100', 'second 101'])
  })

  it('keep their numbers when they cannot be told, so that a gap is seen', async () => {
    const { line, heard, errors, translate, done } = turns()
    line.change(3, 2, () => Promise.reject(new Error('no tables')))
    line.change(3, 1, translate('next'))
    await done(3)
    expect(heard).toEqual(['next 102'])
    expect(errors).toHaveLength(1)
  })

  it('leave room between for what has no number: it repeats the last one told', async () => {
    const { line, heard, translate, done } = turns()
    line.join(3)
    void line.inTurn(3, translate('figures'))
    line.change(3, 1, translate('change'))
    void line.inTurn(3, translate('figures'))
    await done(3)
    expect(heard).toEqual(['figures 100', 'change 100', 'figures 101'])
    expect([line.has(3), line.has(4)]).toEqual([true, false])
  })
})
