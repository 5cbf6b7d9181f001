import '../theme/theme.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { MeterBar } from './meter-bar.tsx'
import { ProgressLine } from './progress-line.tsx'

test('a meter is announced as a percentage and in words', async () => {
  await render(<MeterBar label="Level" valueText="250 %" part={0.6} tone="brass" />)
  const meter = page.getByRole('meter', { name: 'Level' })
  await expect.element(meter).toHaveAttribute('aria-valuenow', '60')
  await expect.element(meter).toHaveAttribute('aria-valuetext', '250 %')
})

test.each([
  [-1, 0],
  [0.5, 0.5],
  [3, 1],
])('a part of %d fills %d of the meter', async (part, shown) => {
  await render(<MeterBar label="Level" valueText="" part={part} tone="danger" />)
  const meter = page.getByRole('meter').element()
  const filled = meter.firstElementChild?.getBoundingClientRect().width ?? 0
  expect(filled / meter.getBoundingClientRect().width).toBeCloseTo(shown, 2)
})

test('a progress line is shown while it is active', async () => {
  const screen = await render(<ProgressLine label="Loading" isActive />)
  await expect.element(page.getByRole('progressbar', { name: 'Loading' })).toBeInTheDocument()
  await screen.rerender(<ProgressLine label="Loading" isActive={false} />)
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
})
