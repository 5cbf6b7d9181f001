import { refuse, type Refusal } from '../refusal.ts'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** The cost of one hash: memory in KiB, passes and lanes of Argon2id, length of the tag in bytes. */
export type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

/** Argon2id with 19 MiB, two passes and one lane: the minimum of OWASP's password storage cheat sheet. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16

/** Hashes computed in parallel; the thread pool has other work too. */
const AT_ONCE = 2
/** About two seconds of work: a longer queue means an attack or a machine that is too small. */
const WAITING_MAX = 64

/** The queue is full, and the password was not checked. */
export class HashingBusyError extends Error {}

/** Hashes passwords and verifies them against stored hashes. */
export type Hasher = {
  hash(password: string): Promise<string>
  /** Takes the same time without an account (`stored` null). */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Throws a `HashingBusyError` when the queue is full. `hashCost` is lowered by tests only; `verify` reads the cost from the stored hash. */
export function createHasher(hashCost: HashCost = COST): Hasher {
  let running = 0
  const waiting: (() => void)[] = []
  const queued = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= WAITING_MAX) throw new HashingBusyError()
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  const tagOf = (password: string, nonce: Buffer, cost: HashCost) =>
    // Systems compose the same letters differently.
    derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })
  const dummyHash = format(randomBytes(SALT_BYTES), randomBytes(hashCost.tagLength), hashCost)
  return {
    hash: (password) =>
      queued(async () => {
        const salt = randomBytes(SALT_BYTES)
        return format(salt, await tagOf(password, salt, hashCost), hashCost)
      }),
    verify: (password, stored) =>
      queued(async () => {
        const { salt, tag, cost } = parse(stored ?? dummyHash)
        const isSame = timingSafeEqual(await tagOf(password, salt, cost), tag)
        return isSame && stored !== null
      }),
  }
}

/** PHC string format, which includes the cost, so that hashes of different costs can coexist. */
const format = (salt: Buffer, tag: Buffer, { memory, passes, parallelism }: HashCost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function parse(stored: string): { salt: Buffer; tag: Buffer; cost: HashCost } {
  const [, , , costs = '', salt = '', tag = ''] = stored.split('$')
  const read = Object.fromEntries(costs.split(',').map((part) => part.split('=')))
  const bytes = Buffer.from(tag, 'base64')
  const cost = {
    memory: Number(read['m']),
    passes: Number(read['t']),
    parallelism: Number(read['p']),
    tagLength: bytes.length,
  }
  return { salt: Buffer.from(salt, 'base64'), tag: bytes, cost }
}

/** Wraps a handler that checks passwords: it refuses with `tooManyRequests` while too many checks are waiting. */
export const refuseWhenBusy =
  <Input, Output>(handler: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output | Refusal> => {
    try {
      return await handler(input)
    } catch (error) {
      if (error instanceof HashingBusyError) return refuse('tooManyRequests')
      throw error
    }
  }
