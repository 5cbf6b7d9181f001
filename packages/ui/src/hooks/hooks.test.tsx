import '../theme/theme.css'
import { createRef, useRef, useState } from 'react'
import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { useFirstInput } from './use-first-input.ts'
import { useHotkey } from './use-hotkey.ts'
import { useMediaQuery } from './use-media-query.ts'
import { useHasBeenVisible } from './visibility.ts'

describe('visibility', () => {
  const Probe = ({ name }: { name: string }) => {
    const box = useRef<HTMLParagraphElement>(null)
    return <p ref={box}>{useHasBeenVisible(box) ? `${name} seen` : `${name} not yet`}</p>
  }

  test('is true once the element has come near the screen, and stays true', async () => {
    const scroller = createRef<HTMLDivElement>()
    await render(
      <div ref={scroller} style={{ height: 300, overflow: 'auto' }}>
        <Probe name="First" />
        <div style={{ height: 3000 }} />
        <Probe name="Last" />
      </div>,
    )
    await expect.element(page.getByText('First seen')).toBeInTheDocument()
    await expect.element(page.getByText('Last not yet')).toBeInTheDocument()
    scroller.current?.scrollTo(0, 3000)
    await expect.element(page.getByText('Last seen')).toBeInTheDocument()
    scroller.current?.scrollTo(0, 0)
    await expect.element(page.getByText('Last seen')).toBeInTheDocument()
  })
})

describe('a hotkey', () => {
  function Keyed({ hotkey }: { hotkey: string | null }) {
    const [count, setCount] = useState(0)
    useHotkey(hotkey, () => setCount((before) => before + 1))
    return (
      <>
        <p>pressed {count}</p>
        <input aria-label="Field" />
      </>
    )
  }

  test('runs its action, but not while the user types or holds another key', async () => {
    await render(<Keyed hotkey="/" />)
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 1')).toBeVisible()
    await userEvent.keyboard('{Control>}/{/Control}')
    await page.getByRole('textbox', { name: 'Field' }).click()
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 1')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Field' })).toHaveValue('/')
  })

  test('does nothing without a key', async () => {
    await render(<Keyed hotkey={null} />)
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 0')).toBeVisible()
  })
})

test('the first touch, click or key is reported, and no later one', async () => {
  let inputs = 0
  const count = () => void (inputs += 1)
  const Screen = () => {
    useFirstInput(count)
    return <p>a screen</p>
  }
  await render(<Screen />)
  expect(inputs).toBe(0)
  await userEvent.keyboard('a')
  await userEvent.keyboard('b')
  await page.getByText('a screen').click()
  expect(inputs).toBe(1)
})

test('a media query follows the width of the window', async () => {
  const Probe = () => <p>{useMediaQuery('(min-width: 64rem)') ? 'wide' : 'narrow'}</p>
  await render(<Probe />)
  await expect.element(page.getByText('narrow')).toBeVisible()
  await page.viewport(1440, 900)
  await expect.element(page.getByText('wide')).toBeVisible()
  await page.viewport(390, 844)
  await expect.element(page.getByText('narrow')).toBeVisible()
})
