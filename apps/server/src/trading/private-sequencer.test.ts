import { describe, expect, it } from 'vitest'
import { createPrivateSequencer } from './private-sequencer.ts'

function createSequencer() {
  const sent: string[] = []
  const errors: unknown[] = []
  const sequencer = createPrivateSequencer(100, (error) => errors.push(error))
  const send = (text: string) => async (last: number) => void sent.push(`${text} ${last}`)
  const done = (userId: number) => sequencer.enqueue(userId, () => Promise.resolve())
  return { sequencer, sent, errors, send, done }
}

describe('the private messages of a user', () => {
  it('are numbered one by one in the order of the changes', async () => {
    const { sequencer, sent, send, done } = createSequencer()
    sequencer.change(3, 2, send('a'))
    sequencer.change(3, 1, send('b'))
    sequencer.change(3, 1, send('c'))
    await done(3)
    expect(sent).toEqual(['a 100', 'b 102', 'c 103'])
    expect(sequencer.last(3)).toBe(104)
  })

  it('wait for the one before', async () => {
    const { sequencer, sent, send, done } = createSequencer()
    let release = () => undefined as void
    const blocked = new Promise<void>((resolve) => (release = resolve))
    sequencer.change(3, 1, () => blocked)
    sequencer.change(3, 1, send('second'))
    sequencer.change(4, 1, send('of another user'))
    await done(4)
    expect(sent).toEqual(['of another user 100'])
    expect(sequencer.last(3)).toBe(100)
    release()
    await done(3)
    expect(sent).toEqual(['of another user 100', 'second 101'])
  })

  it('keep their numbers when sending fails, so that a client sees the gap', async () => {
    const { sequencer, sent, errors, send, done } = createSequencer()
    sequencer.change(3, 2, () => Promise.reject(new Error('no tables')))
    sequencer.change(3, 1, send('next'))
    await done(3)
    expect(sent).toEqual(['next 102'])
    expect(errors).toHaveLength(1)
  })

  it('may be mixed with messages without a number, which repeat the last one', async () => {
    const { sequencer, sent, send, done } = createSequencer()
    sequencer.join(3)
    void sequencer.enqueue(3, send('figures'))
    sequencer.change(3, 1, send('change'))
    void sequencer.enqueue(3, send('figures'))
    await done(3)
    expect(sent).toEqual(['figures 100', 'change 100', 'figures 101'])
    expect([sequencer.has(3), sequencer.has(4)]).toEqual([true, false])
  })
})
