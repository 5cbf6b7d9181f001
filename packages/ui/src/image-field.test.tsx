import './theme.css'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { ImageField } from './image-field.tsx'
import type { SendImage } from './use-image-upload.ts'

const words = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Sending',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Sent',
  tooLarge: 'At most 1 MB.',
}

/** A sender that a test holds by its ends. */
async function field() {
  const sent: {
    progress: (part: number) => void
    done: (name: string) => void
    fail: (why: string) => void
    signal: AbortSignal
  }[] = []
  const send: SendImage = (_file, { onProgress, signal }) =>
    new Promise((resolve, reject) =>
      sent.push({ progress: onProgress, done: resolve, fail: (why) => reject(new Error(why)), signal }),
    )
  const onChange = vi.fn()
  const { container, unmount } = await render(
    <ImageField
      label="Proof"
      hint="A photo of the receipt."
      words={words}
      types={['image/png']}
      bytesMax={1_000_000}
      send={send}
      onChange={onChange}
      problemOf={(error) => (error instanceof Error ? error.message : null)}
    />,
  )
  const input = () => container.querySelector<HTMLInputElement>('input[type=file]:not([capture])')
  const choose = async (name = 'proof.png', bytes = 9) => {
    const picker = input()
    if (!picker) throw new Error('there is nothing to choose by')
    await userEvent.upload(picker, new File(['x'.repeat(bytes)], name, { type: 'image/png' }))
  }
  return { sent, onChange, choose, unmount }
}

const last = <T,>(list: readonly T[]): T => {
  const item = list.at(-1)
  if (item === undefined) throw new Error('nothing was sent')
  return item
}

test('a picture is shown while it is sent, and named once it is', async () => {
  const { sent, onChange, choose } = await field()
  await expect
    .element(page.getByRole('group', { name: 'Proof' }))
    .toHaveAccessibleDescription('A photo of the receipt.')
  await choose()
  await expect.element(page.getByRole('img', { name: 'proof.png' })).toBeVisible()
  const bar = page.getByRole('meter', { name: 'Sending' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '0%')
  last(sent).progress(0.4)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '40%')
  last(sent).done('/picture/1')
  await expect.element(page.getByRole('status')).toHaveTextContent('Sent')
  expect(onChange).toHaveBeenLastCalledWith('/picture/1')
})

test('one that cannot be sent is gone, and why is told', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  last(sent).fail('This is no picture.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('This is no picture.')
  expect(page.getByRole('img', { name: 'proof.png' }).query()).toBeNull()
  expect(onChange).toHaveBeenLastCalledWith(null)
  await choose('other.png')
  expect(page.getByRole('alert').query()).toBeNull()
})

test('one that is removed on its way is taken back, and never named', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  await page.getByRole('button', { name: 'Remove' }).click()
  expect(last(sent).signal.aborted).toBe(true)
  last(sent).done('/picture/1')
  await expect.element(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible()
  expect(onChange).not.toHaveBeenCalledWith('/picture/1')
})

test('one that is too large is not sent at all', async () => {
  const { sent, choose } = await field()
  await choose('large.png', 1_000_001)
  await expect.element(page.getByRole('alert')).toHaveTextContent('At most 1 MB.')
  expect(sent).toEqual([])
})

test('a form that is left takes back what is on its way', async () => {
  const { sent, choose, unmount } = await field()
  await choose()
  await unmount()
  expect(last(sent).signal.aborted).toBe(true)
})
