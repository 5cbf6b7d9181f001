/** Starts the server like `main.ts`. Captchas are the real ones, and their digits are printed for the test. */
import { createRequire, registerHooks } from 'node:module'

type Draw = (text: string, options: object) => string

const PICTURE = new URL('../../apps/server/src/accounts/captcha.ts', import.meta.url).href
const draw = createRequire(PICTURE)('svg-captcha') as Draw

/** Replaces the captcha library. */
const drawAndReport: Draw = (text, options) => {
  console.log(`Captcha ${text}`)
  return draw(text, options)
}
Object.assign(globalThis, { drawAndReport })
const STAND_IN = 'data:text/javascript,export default globalThis.drawAndReport'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'svg-captcha' && context.parentURL === PICTURE
      ? { url: STAND_IN, shortCircuit: true }
      : next(specifier, context),
})

void import('../../apps/server/src/main.ts')
