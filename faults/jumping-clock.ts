import type { Random } from '../testing/random.ts'

const HOUR_MS = 3_600_000

/**
 * Arguments for Node that give a process a wrong wall clock that jumps while it runs. The machine's clock is not
 * changed.
 */
export function clockArgs(random: Random): string[] {
  const offMs = random.pick([-HOUR_MS, HOUR_MS, 0, -60_000])
  const jumpMs = random.pick([-HOUR_MS, HOUR_MS, 24 * HOUR_MS])
  const afterMs = random.int(500, 2_500)
  const code = `
    const real = Date; let off = ${offMs};
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + off });
    globalThis.Date = class extends real {
      constructor(...given) { if (given.length) super(...given); else super(real.now() + off) }
      static now() { return real.now() + off }
    };
    setTimeout(() => { off += ${jumpMs} }, ${afterMs}).unref();`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}
