import type { ChartTheme } from './chart-port.ts'

const TOKENS = {
  page: '--page',
  ink: '--ink',
  second: '--second',
  third: '--third',
  line: '--line',
  brass: '--brass',
  up: '--up',
  down: '--down',
  onFill: '--on-signal',
} as const

/** The page's colours as a canvas understands them: tokens hold light and dark at once, so a probe resolves them. */
export function readChartTheme(box: HTMLElement): ChartTheme {
  const probe = document.createElement('span')
  box.append(probe)
  const resolve = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const colours = Object.entries(TOKENS).map(([name, token]) => [name, resolve(token)])
  probe.remove()
  return { ...Object.fromEntries(colours), fontFamily: getComputedStyle(box).fontFamily }
}

/** Calls back when the page turns light or dark, or changes its colour for rising. Returns the way to stop. */
export function watchTheme(onChange: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-rise'],
  })
  scheme.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    scheme.removeEventListener('change', onChange)
  }
}
