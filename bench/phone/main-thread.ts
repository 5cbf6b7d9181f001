import { setTimeout as pause } from 'node:timers/promises'
import type { PhonePage } from './browser.ts'

/** Processor time of a page's main thread. */
export type MainThread = {
  /** All of its work, including script, style, layout and painting: ms per second. */
  readonly workMs: number
  /** Script alone, ms for each frame of the socket. */
  readonly scriptMsPerFrame: number
  /** Script, style and layout, ms per second each. */
  readonly parts: string
  readonly framesPerSecond: number
}

const DURATIONS = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const

/** Measures a page that receives frames by socket. Time used by other processes does not count. */
export async function watchMainThread({ page, devtools }: PhonePage, seconds: number): Promise<MainThread> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Network.enable')
  const visit = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return DURATIONS.map((name) => 1_000 * (metrics.find((metric) => metric.name === name)?.value ?? NaN))
  }
  let frames = 0
  const count = () => (frames += 1)
  devtools.on('Network.webSocketFrameReceived', count)
  const [before, begin] = [await visit(), performance.now()]
  await pause(seconds * 1_000)
  const [after, lasted] = [await visit(), (performance.now() - begin) / 1_000]
  devtools.off('Network.webSocketFrameReceived', count)
  await page.evaluate('document.title')
  const [work = NaN, script = NaN, style = NaN, layout = NaN] = after.map(
    (value, at) => (value - (before[at] ?? NaN)) / lasted,
  )
  return {
    workMs: work,
    scriptMsPerFrame: (script * lasted) / frames,
    parts: `script ${script.toFixed(0)}, style ${style.toFixed(0)}, layout ${layout.toFixed(0)}`,
    framesPerSecond: frames / lasted,
  }
}
