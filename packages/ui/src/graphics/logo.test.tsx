import '../theme/theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Logo } from './logo.tsx'

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

test('shows the picture, and the symbols when there is none or it fails to load', async () => {
  const { container, rerender } = await render(<Logo symbols={['€', '$']} picture={DOT} />)
  expect(container.querySelector('img')?.src).toBe(DOT)
  expect(container.textContent).toBe('')
  await rerender(<Logo symbols={['€', '$']} picture="data:image/png;base64,broken" />)
  await expect.poll(() => container.textContent).toBe('€$')
  await rerender(<Logo symbols={['Au']} />)
  expect(container.textContent).toBe('Au')
})
