import '../theme/theme.css'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { ImageField } from './image-field.tsx'
import type { SendImage } from './use-image-upload.ts'

const texts = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Sending',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Sent',
  tooLarge: 'At most 1 MB.',
}

/** An image field whose uploads the test completes or fails. */
async function field() {
  const sent: {
    progress: (part: number) => void
    done: (name: string) => void
    fail: (reason: string) => void
    signal: AbortSignal
  }[] = []
  const send: SendImage = (_file, { onProgress, signal }) =>
    new Promise((resolve, reject) =>
      sent.push({ progress: onProgress, done: resolve, fail: (reason) => reject(new Error(reason)), signal }),
    )
  const onChange = vi.fn()
  const { container, unmount } = await render(
    <ImageField
      label="Proof"
      hint="A photo of the receipt."
      texts={texts}
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
    if (!picker) throw new Error('no file input is shown')
    await userEvent.upload(picker, new File(['x'.repeat(bytes)], name, { type: 'image/png' }))
  }
  return { sent, onChange, choose, unmount }
}

const last = <T,>(list: readonly T[]): T => {
  const item = list.at(-1)
  if (item === undefined) throw new Error('nothing was sent')
  return item
}

test('shows a picture while it is uploaded, and reports its key afterwards', async () => {
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

test('removes a picture that cannot be uploaded, and says why', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  last(sent).fail('This is not a picture.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('This is not a picture.')
  expect(page.getByRole('img', { name: 'proof.png' }).query()).toBeNull()
  expect(onChange).toHaveBeenLastCalledWith(null)
  await choose('other.png')
  expect(page.getByRole('alert').query()).toBeNull()
})

test('aborts the upload of a removed picture, and never reports its key', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  await page.getByRole('button', { name: 'Remove' }).click()
  expect(last(sent).signal.aborted).toBe(true)
  last(sent).done('/picture/1')
  await expect.element(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible()
  expect(onChange).not.toHaveBeenCalledWith('/picture/1')
})

test('does not upload a picture that is too large', async () => {
  const { sent, choose } = await field()
  await choose('large.png', 1_000_001)
  await expect.element(page.getByRole('alert')).toHaveTextContent('At most 1 MB.')
  expect(sent).toEqual([])
})

test('aborts the upload when the form is closed', async () => {
  const { sent, choose, unmount } = await field()
  await choose()
  await unmount()
  expect(last(sent).signal.aborted).toBe(true)
})
