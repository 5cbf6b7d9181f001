import './theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { useWebFont } from './use-web-font.ts'

test('the font that missed the first paint is shown once the app is drawn', async () => {
  const fonts = () => getComputedStyle(document.documentElement).fontFamily
  const App = () => {
    useWebFont()
    return <p>a screen</p>
  }
  expect(fonts()).not.toContain('Plex late')
  await render(<App />)
  await expect.poll(fonts).toContain('Plex late')
  expect(fonts()).toMatch(/^Plex, /)
})
