import { describe, expect, test } from 'vitest'
import { createTopics } from './topics.ts'
import type { TopicChange } from './topics.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function topics() {
  const changes: TopicChange[] = []
  return { changes, ...createTopics((change) => changes.push(change)) }
}

describe('wishes for topics', () => {
  test('subscribe with the first and unsubscribe with the last', async () => {
    const { want, changes } = topics()
    const [one, two] = [want('A'), want('A')]
    await turn()
    one()
    await turn()
    expect(changes).toEqual([{ type: 'sub', topics: ['A'] }])
    two()
    await turn()
    expect(changes.at(-1)).toEqual({ type: 'unsub', topics: ['A'] })
  })

  test('travel together, one frame per turn', async () => {
    const { want, changes } = topics()
    for (const topic of ['A', 'B', 'C']) want(topic)
    await turn()
    expect(changes).toEqual([{ type: 'sub', topics: ['A', 'B', 'C'] }])
  })

  test('cause no traffic when one screen goes and the next wants the same', async () => {
    const { want, changes } = topics()
    const leave = want('A')
    await turn()
    leave()
    want('A')
    await turn()
    expect(changes).toHaveLength(1)
  })

  test('count a release once, however often it is called', async () => {
    const { want, wanted } = topics()
    const release = want('A')
    want('A')
    release()
    release()
    await turn()
    expect(wanted()).toEqual(['A'])
  })
})
