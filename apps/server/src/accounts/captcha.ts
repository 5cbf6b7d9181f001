import { randomInt } from 'node:crypto'
import type { Challenge } from 'altcha/lib'
import type * as SvgCaptcha from 'svg-captcha'
import { readWork, typedCode, type Work } from '@fairlot/contract'
import { newSecret } from '../platform/security/secrets.ts'

const DIGITS = 5
const IS_ANSWER = /^\d{5}$/
const VALID_FOR_MS = 300_000
/** Captchas without an answer; beyond this the oldest is dropped. */
const OPEN_MAX = 10_000

/** Pictures of digits, each with a calculation for those who cannot see it. Each accepts one answer of five digits, right or wrong, within five minutes. */
export type Captchas = {
  /** `image` is a PNG as a data URL, `challenge` the calculation as JSON of altcha. */
  create(): Promise<{ readonly id: string; readonly image: string; readonly challenge: string }>
  /** Whether the answer is the picture's digits, or the result of the calculation as `workText` writes it. */
  isRight(id: string, answer: string): Promise<boolean>
}

export function createCaptchas(now: () => number, draw = drawDigits, work = createWork): Captchas {
  const open = new Map<string, Open>()
  const secrets = { hmacSignatureSecret: newSecret(), hmacKeySignatureSecret: newSecret() }
  return {
    create: async () => {
      const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const id = newSecret()
      const [picture, challenge] = await Promise.all([draw(digits), work(secrets)])
      open.set(id, { digits, challenge, until: now() + VALID_FOR_MS })
      const oldest = open.keys().next()
      if (open.size > OPEN_MAX && !oldest.done) open.delete(oldest.value)
      return {
        id,
        image: `data:image/png;base64,${picture.toString('base64')}`,
        challenge: JSON.stringify(challenge),
      }
    },
    isRight: async (id, answer) => {
      if (!isPossibleAnswer(answer)) return false
      const solution = readWork(answer)
      const captcha = open.get(id)
      open.delete(id)
      if (captcha === undefined || now() >= captcha.until) return false
      return solution === null
        ? captcha.digits === typedCode(answer)
        : isWorkDone(captcha.challenge, solution, secrets)
    },
  }
}

/** False for what can be neither the digits of a picture nor the result of a calculation: that is a slip, and no answer. */
export const isPossibleAnswer = (answer: string): boolean =>
  readWork(answer) !== null || IS_ANSWER.test(typedCode(answer))

type Open = { readonly digits: string; readonly challenge: Challenge; readonly until: number }

/** A key derivation that takes a phone some milliseconds; the right one is found after as many as `ROUNDS`, so in a few seconds. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000 } as const
const ROUNDS = { min: 1_000, max: 2_000 }

/** Of the process: a captcha does not outlive it. */
type Secrets = { readonly hmacSignatureSecret: string; readonly hmacKeySignatureSecret: string }

/** A calculation that is solved after `counter` rounds. */
export async function createWork(
  secrets: Secrets,
  counter = randomInt(ROUNDS.min, ROUNDS.max),
): Promise<Challenge> {
  const { createChallenge, pbkdf2 } = await import('altcha/lib')
  return createChallenge({ ...WORK, ...secrets, counter, deriveKey: pbkdf2.deriveKey })
}

/** Without the secret of the key, altcha would accept the key of any round. */
async function isWorkDone(challenge: Challenge, solution: Work, secrets: Secrets): Promise<boolean> {
  const { verifySolution, pbkdf2 } = await import('altcha/lib')
  return (await verifySolution({ ...secrets, challenge, solution, deriveKey: pbkdf2.deriveKey })).verified
}

/** Twice the size on the page, for high-density screens. */
const DENSITY = 144
const SHAPE = { width: 160, height: 60, fontSize: 56, noise: 3 }
const BACKGROUND = '#fff'

/** The module can draw a given text; its type definitions only cover texts that it generates. */
type Draw = (text: string, options: typeof SvgCaptcha.options) => string

/**
 * A PNG of distorted, crossed-out digits, dark on white in every theme; being pixels, it contains no text or path to read.
 * The drawing libraries are loaded with the first picture.
 */
export async function drawDigits(digits: string): Promise<Buffer> {
  const [captcha, { default: sharp }] = await Promise.all([import('svg-captcha'), import('sharp')])
  const draw = captcha.default as unknown as Draw
  const svg = Buffer.from(draw(digits, SHAPE))
  return sharp(svg, { density: DENSITY }).flatten({ background: BACKGROUND }).greyscale().png().toBuffer()
}
