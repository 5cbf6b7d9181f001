import { type Challenge, pbkdf2, solveChallenge } from 'altcha/lib'
import { workText } from '@fairlot/contract'

/**
 * Does the calculation of a captcha, which takes a phone some seconds, and returns the answer to send. `challenge`: JSON of altcha.
 * Throws where it takes too long or the browser cannot, as over plain http.
 */
export async function solveCaptcha(challenge: string): Promise<string> {
  const solution = await solveChallenge({
    challenge: JSON.parse(challenge) as Challenge,
    deriveKey: pbkdf2.deriveKey,
  })
  if (solution === null) throw new Error('the calculation took too long')
  return workText(solution)
}
