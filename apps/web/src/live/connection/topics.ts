/** How often each topic is wanted. The first wish subscribes, the last one to go unsubscribes. */
export type Topics = {
  /** Wants a topic until the returned function is called. */
  want: (topic: string) => () => void
  /** All topics wanted now. */
  wanted: () => string[]
}

export type TopicChange = { type: 'sub' | 'unsub'; topics: string[] }

/**
 * Counts wishes and reports changes once per turn of the event loop, so that a screen that goes while another with
 * the same wish comes causes no traffic at all.
 */
export function createTopics(report: (change: TopicChange) => void): Topics {
  const counts = new Map<string, number>()
  let reported = new Set<string>()
  let isQueued = false

  const wanted = () => [...counts.keys()]

  function settle() {
    isQueued = false
    const now = new Set(wanted())
    const added = [...now].filter((topic) => !reported.has(topic))
    const gone = [...reported].filter((topic) => !now.has(topic))
    reported = now
    if (added.length > 0) report({ type: 'sub', topics: added })
    if (gone.length > 0) report({ type: 'unsub', topics: gone })
  }

  function change(topic: string, by: 1 | -1) {
    const count = (counts.get(topic) ?? 0) + by
    if (count > 0) counts.set(topic, count)
    else counts.delete(topic)
    if (isQueued) return
    isQueued = true
    queueMicrotask(settle)
  }

  return {
    want: (topic) => {
      change(topic, 1)
      let isHeld = true
      return () => {
        if (isHeld) change(topic, -1)
        isHeld = false
      }
    },
    wanted,
  }
}
