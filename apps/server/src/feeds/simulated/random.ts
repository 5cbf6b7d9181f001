/** Numbers that look random and are the same for the same seed and stream. */
export type Random = {
  /** At least 0, below 1. */
  uniform(): number
  /** Standard normal deviates. */
  normal(): number
}

/**
 * An independent stream of a seed: small fast counter (sfc32, Chris Doty-Humphrey, PractRand) started from a hash of both
 * texts. What one stream draws does not depend on which others exist.
 */
export function createRandom(seed: string, stream: string): Random {
  const state = hashed(`${seed}\n${stream}`)
  const uniform = () => next(state) / 4_294_967_296
  for (let round = 0; round < 12; round++) next(state)
  let spare: number | null = null
  const normal = () => {
    if (spare !== null) {
      const kept = spare
      spare = null
      return kept
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
  return { uniform, normal }
}

type State = Uint32Array<ArrayBuffer>

function next(state: State): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state
  const sum = (a + b + counter) >>> 0
  state[0] = b ^ (b >>> 9)
  state[1] = c + (c << 3)
  state[2] = ((c << 21) | (c >>> 11)) + sum
  state[3] = counter + 1
  return sum
}

/** FNV-1a over the characters from four different starts, each stirred by the finisher of MurmurHash3. */
function hashed(text: string): State {
  return Uint32Array.from([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35], (start) => {
    let hash = start
    for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  })
}
