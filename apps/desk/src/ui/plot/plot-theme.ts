/** What a plot may be drawn in: names of the theme, never colours of its own. */
export type PlotTone = 'up' | 'down' | 'ink' | 'brass' | 'third'

export type PlotColours = Readonly<Record<PlotTone | 'second' | 'line' | 'onInk', string>>

/** The theme's colours as they are now, for what is not drawn by CSS. `probe` is any element below the theme. */
export function coloursOf(probe: HTMLElement): PlotColours {
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    ...{ up: colour('up'), down: colour('down'), ink: colour('ink'), brass: colour('brass') },
    ...{ third: colour('third'), second: colour('second'), line: colour('line') },
    onInk: colour('on-ink'),
  }
  probe.style.color = ''
  return colours
}

/** Calls back whenever light and dark may have changed; returns how to stop. */
export function onThemeChange(callback: () => void): () => void {
  const wishes = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(callback)
  observer.observe(document.documentElement, { attributes: true })
  wishes.addEventListener('change', callback)
  return () => {
    observer.disconnect()
    wishes.removeEventListener('change', callback)
  }
}
