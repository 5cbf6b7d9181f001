import './theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { useWebFont } from './use-web-font.ts'

test('a font that missed the first paint is loaded when the app is idle, and shown when due', async () => {
  const fonts = () => getComputedStyle(document.documentElement).fontFamily
  let isLoaded = false
  const onLoaded = () => void (isLoaded = true)
  const App = ({ isDue }: { isDue: boolean }) => {
    useWebFont({ isDue, onLoaded })
    return <p>a screen</p>
  }
  const screen = await render(<App isDue={false} />)
  await expect.poll(() => isLoaded, { timeout: 10_000 }).toBe(true)
  expect(fonts()).not.toContain('Plex')
  await screen.rerender(<App isDue />)
  await expect.poll(fonts, { timeout: 10_000 }).toContain('Plex late')
})

test('a font that an earlier visit has loaded is shown with the first paint', () => {
  document.documentElement.dataset['font'] = ''
  expect(getComputedStyle(document.documentElement).fontFamily).toMatch(/^Plex, /)
})
