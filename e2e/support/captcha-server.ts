/**
 * The server as `main.ts` starts it. The pictures of its captchas are the real ones; what they show is printed besides, for no
 * machine can read it.
 */
import { createRequire, registerHooks } from 'node:module'

type Draw = (text: string, options: object) => string

const PICTURE = new URL('../../apps/server/src/auth/captcha-picture.ts', import.meta.url).href
const draw = createRequire(PICTURE)('svg-captcha') as Draw

/** Stands in for the library where the server draws its pictures. */
const drawAndTell: Draw = (text, options) => {
  console.log(`Captcha ${text}`)
  return draw(text, options)
}
Object.assign(globalThis, { drawAndTell })
const STAND_IN = 'data:text/javascript,export default globalThis.drawAndTell'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'svg-captcha' && context.parentURL === PICTURE
      ? { url: STAND_IN, shortCircuit: true }
      : next(specifier, context),
})

void import('../../apps/server/src/main.ts')
