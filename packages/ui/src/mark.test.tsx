import './theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Mark } from './mark.tsx'

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

test('a logo is its picture, and its signs where there is none or it does not come', async () => {
  const { container, rerender } = await render(<Mark signs={['€', '$']} picture={DOT} />)
  expect(container.querySelector('img')?.src).toBe(DOT)
  expect(container.textContent).toBe('')
  await rerender(<Mark signs={['€', '$']} picture="data:image/png;base64,broken" />)
  await expect.poll(() => container.textContent).toBe('€$')
  await rerender(<Mark signs={['Au']} />)
  expect(container.textContent).toBe('Au')
})
