import './theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { useOwnLetters } from './own-letters.ts'

test('who lacked the letters at the first paint gets them once the app stands', async () => {
  const letters = () => getComputedStyle(document.documentElement).fontFamily
  const App = () => {
    useOwnLetters()
    return <p>a screen</p>
  }
  expect(letters()).not.toContain('Plex later')
  await render(<App />)
  await expect.poll(letters).toContain('Plex later')
  expect(letters()).toMatch(/^Plex, /)
})
