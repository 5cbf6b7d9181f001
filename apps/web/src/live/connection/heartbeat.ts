export type HeartbeatTiming = {
  pingEveryMs: number
  /** Unanswered pings after which the other end counts as dead. */
  missedPongsMax: number
}

export type Heartbeat = { start: () => void; answered: () => void; stop: () => void }

/** Pings at a steady pace and tells when too many stayed without an answer. */
export function createHeartbeat(
  { pingEveryMs, missedPongsMax }: HeartbeatTiming,
  { ping, onDead }: { ping: () => void; onDead: () => void },
): Heartbeat {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unanswered = 0

  function beat() {
    if (unanswered >= missedPongsMax) return onDead()
    unanswered += 1
    ping()
    timer = setTimeout(beat, pingEveryMs)
  }

  return {
    start: () => {
      unanswered = 0
      timer = setTimeout(beat, pingEveryMs)
    },
    answered: () => {
      unanswered = 0
    },
    stop: () => clearTimeout(timer),
  }
}
