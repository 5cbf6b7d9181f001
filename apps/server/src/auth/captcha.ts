import { randomInt } from 'node:crypto'
import { newSecret } from '../http/login-sessions.ts'
import { drawDigits } from './captcha-picture.ts'

const DIGITS = 5
const GOOD_FOR_MS = 300_000
/** Pictures that wait for an answer; past this the oldest goes. */
const OPEN_MAX = 10_000

/** Pictures of digits. Each is good for one answer, right or wrong, within five minutes. */
export type Captchas = {
  create(): Promise<{ readonly id: string; readonly image: string }>
  isRight(id: string, answer: string): boolean
}

export function createCaptchas(now: () => number, draw = drawDigits): Captchas {
  const open = new Map<string, { readonly digits: string; readonly until: number }>()
  return {
    create: async () => {
      const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const id = newSecret()
      const picture = await draw(digits)
      open.set(id, { digits, until: now() + GOOD_FOR_MS })
      const oldest = open.keys().next()
      if (open.size > OPEN_MAX && !oldest.done) open.delete(oldest.value)
      return { id, image: `data:image/png;base64,${picture.toString('base64')}` }
    },
    isRight: (id, answer) => {
      const asked = open.get(id)
      open.delete(id)
      return asked !== undefined && now() < asked.until && asked.digits === answer.trim()
    },
  }
}
