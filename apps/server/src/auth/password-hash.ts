import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** Argon2id with 19 MiB, two passes, one lane: the least that OWASP's password storage cheat sheet accepts today. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const SALT_BYTES = 16

/** Hashing at once; the pool of threads has other work too. */
const AT_ONCE = 2
/** More than this waiting is an attack, or a machine too small: about two seconds of work. */
const WAITING_MAX = 64

/** Too many passwords are being checked; nothing was. */
export class HashingBusyError extends Error {}

/** The stored form of a password. */
export type Hasher = {
  hash(password: string): Promise<string>
  /** Takes as long for no account (null) as for one. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Throws a `HashingBusyError` once too many wait. */
export function createHasher(): Hasher {
  let underway = 0
  const waiting: (() => void)[] = []
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= WAITING_MAX) throw new HashingBusyError()
    if (underway >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else underway += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underway -= 1
    }
  }
  const tagOf = (password: string, nonce: Buffer, cost: typeof COST) =>
    // The same text typed on two systems may differ in how its letters are composed.
    derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })
  const nobody = format(randomBytes(SALT_BYTES), randomBytes(COST.tagLength))
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES)
        return format(salt, await tagOf(password, salt, COST))
      }),
    verify: (password, stored) =>
      inTurn(async () => {
        const { salt, tag, cost } = parse(stored ?? nobody)
        const isSame = timingSafeEqual(await tagOf(password, salt, cost), tag)
        return isSame && stored !== null
      }),
  }
}

/** PHC string format, so that a later cost can stand beside this one. */
const format = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function parse(stored: string): { salt: Buffer; tag: Buffer; cost: typeof COST } {
  const [, , , costs = '', salt = '', tag = ''] = stored.split('$')
  const read = Object.fromEntries(costs.split(',').map((part) => part.split('=')))
  const bytes = Buffer.from(tag, 'base64')
  const cost = {
    ...{ memory: Number(read['m']), passes: Number(read['t']), parallelism: Number(read['p']) },
    tagLength: bytes.length,
  }
  return { salt: Buffer.from(salt, 'base64'), tag: bytes, cost: cost as typeof COST }
}
