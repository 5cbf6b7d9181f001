/** Colours of a plot, by their names in the theme. */
export type PlotTone = 'up' | 'down' | 'ink' | 'brass' | 'third'

export type PlotColours = Readonly<Record<PlotTone | 'second' | 'line' | 'onInk', string>>

/** The theme's current colours, for a canvas that CSS does not reach. `probe` is any element inside the theme. */
export function coloursOf(probe: HTMLElement): PlotColours {
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    up: colour('up'),
    down: colour('down'),
    ink: colour('ink'),
    brass: colour('brass'),
    third: colour('third'),
    second: colour('second'),
    line: colour('line'),
    onInk: colour('on-ink'),
  }
  probe.style.color = ''
  return colours
}

/** Calls `callback` when the theme may have changed; returns a function that stops it. */
export function onThemeChange(callback: () => void): () => void {
  const darkMode = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(callback)
  observer.observe(document.documentElement, { attributes: true })
  darkMode.addEventListener('change', callback)
  return () => {
    observer.disconnect()
    darkMode.removeEventListener('change', callback)
  }
}
