import '../theme/theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { QrCode } from './qr-code.tsx'

test('a QR code is black on white in every theme', async () => {
  await render(<QrCode text="otpauth://totp/x" label="Code" />)
  const svg = page.getByRole('img', { name: 'Code' }).element()
  expect(svg.querySelector('rect')?.getAttribute('fill')).toBe('white')
  expect(svg.querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(500)
})
