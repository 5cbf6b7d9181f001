import { fileURLToPath } from 'node:url'
import lighthouse from 'lighthouse'
import { freePort } from '../../testing/free-port.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { openBrowser } from '../phone/browser.ts'
import { linesOrWhy, median, type Line, type Target } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ROUNDS = 3

/** P10: Lighthouse's own judgement of a first visit with a phone: a slow network, a processor four times slower. */
export const measureFirstVisit = (): Promise<Line[]> => withCleanup(measure)

async function measure(later: Later): Promise<Line[]> {
  const { url } = later(await npmStart(ROOT))
  const lines: Line[] = []
  for (const [name, language, route] of [
    ['home', 'en', '#/'],
    ['trade', 'en', '#/trade'],
    ['home in ar', 'ar', '#/'],
    ['trade in ar', 'ar', '#/trade'],
    ['home in ru', 'ru', '#/'],
    ['trade in ru', 'ru', '#/trade'],
  ] as const) {
    const measured = await linesOrWhy({ goal: 'P10', what: `${name}: first visit` }, async () => {
      const visits: Visit[] = []
      for (let round = 0; round < ROUNDS; round += 1)
        visits.push(await visit(`${url}/?lang=${language}${route}`))
      return linesOf(name, visits)
    })
    lines.push(...measured)
  }
  return lines
}

/** The figures of Lighthouse; scores from 0 to 100, times in ms. */
type Visit = Readonly<Record<keyof typeof FIGURES, number>>

const FIGURES = {
  performance: { what: 'performance', unit: '', target: { atLeast: 95 } },
  accessibility: { what: 'accessibility', unit: '', target: { atLeast: 100 } },
  bestPractices: { what: 'best practices', unit: '', target: { atLeast: 100 } },
  fcp: { what: 'first contentful paint', unit: ' ms', target: { atMost: 1_200 } },
  lcp: { what: 'largest contentful paint', unit: ' ms', target: { atMost: 1_500 } },
  tbt: { what: 'total blocking time', unit: ' ms', target: { atMost: 100 } },
  cls: { what: 'cumulative layout shift', unit: '', target: { atMost: 0.02 } },
} satisfies Record<string, { what: string; unit: string; target: Target }>

/** With a browser of its own: what an earlier visit has stored, Lighthouse does not delete in time. */
const visit = (address: string): Promise<Visit> =>
  withCleanup(async (later) => {
    const port = await freePort()
    await openBrowser(later, [`--remote-debugging-port=${port}`])
    return visitWith(address, port)
  })

async function visitWith(address: string, port: number): Promise<Visit> {
  const result = await lighthouse(address, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
  })
  if (!result) throw new Error('Lighthouse gave no result')
  const { audits, categories, runtimeError } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  const figure = (name: string) => audits[name]?.numericValue ?? NaN
  const score = (name: string) => Math.round((categories[name]?.score ?? NaN) * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    fcp: figure('first-contentful-paint'),
    lcp: figure('largest-contentful-paint'),
    tbt: figure('total-blocking-time'),
    cls: figure('cumulative-layout-shift'),
  }
}

const linesOf = (name: string, visits: readonly Visit[]): Line[] =>
  (Object.keys(FIGURES) as (keyof Visit)[]).map((key) => {
    const { what, unit, target } = FIGURES[key]
    const values = visits.map((each) => each[key])
    const middle = median(values)
    const written = (value: number) => `${Number(value.toFixed(value < 1 ? 3 : 0))}`
    return {
      goal: 'P10',
      what: `${name}: ${what}`,
      measured: `${written(middle)}${unit}`,
      yardstick: `Lighthouse, median of ${values.map(written).join(', ')}`,
      ratio: middle,
      target,
      ...(key === 'tbt' && {
        note: 'other load on the machine lengthens what Lighthouse counts as blocking.',
      }),
    }
  })
