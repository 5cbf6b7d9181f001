import './theme.css'
import { createRef, useRef, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { BigFigure, writeBigFigure } from './big-figure.tsx'
import { ChangeFigure, writeChangeFigure } from './change-figure.tsx'
import { FormFrame } from './form-frame.tsx'
import { TextField } from './field.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { ScrollBox, useScrollBox } from './scroll-box.tsx'
import { useIsSeen } from './sight.ts'
import { Sparkline, writeSparklineTone } from './sparkline.tsx'
import { useForm } from './use-form.ts'
import { useHotkey } from './use-hotkey.ts'
import { useMediaQuery } from './use-media-query.ts'

const Pulled = ({ onRefresh }: { onRefresh: () => void }) => (
  <>
    <PullToRefresh box={useScrollBox()} label="Refreshing" onRefresh={onRefresh} />
    <p style={{ height: 2000 }}>A long list</p>
  </>
)

describe('pulling a list down', () => {
  const open = async (onRefresh: () => void) => {
    await render(
      <div style={{ height: 400 }}>
        <ScrollBox>
          <Pulled onRefresh={onRefresh} />
        </ScrollBox>
      </div>,
    )
    const list = page.getByText('A long list').element()
    const touch = (type: string, clientY: number) =>
      list.dispatchEvent(
        new TouchEvent(type, {
          bubbles: true,
          touches:
            type === 'touchend' ? [] : [new Touch({ identifier: 1, target: list, clientX: 50, clientY })],
        }),
      )
    return { list, touch }
  }

  test('far enough refreshes it, and says so', async () => {
    const onRefresh = vi.fn()
    const { touch } = await open(onRefresh)
    touch('touchstart', 100)
    touch('touchmove', 300)
    touch('touchend', 300)
    expect(onRefresh).toHaveBeenCalledOnce()
    await expect.element(page.getByText('Refreshing')).toBeInTheDocument()
    await expect.element(page.getByText('Refreshing')).not.toBeInTheDocument()
  })

  test('a little, or up, does nothing', async () => {
    const onRefresh = vi.fn()
    const { touch } = await open(onRefresh)
    touch('touchstart', 100)
    touch('touchmove', 150)
    touch('touchend', 150)
    touch('touchstart', 300)
    touch('touchmove', 100)
    touch('touchend', 100)
    expect(onRefresh).not.toHaveBeenCalled()
  })

  test('from the middle of the list only scrolls', async () => {
    const onRefresh = vi.fn()
    const { list, touch } = await open(onRefresh)
    list.closest('[data-scroll-box]')?.scrollTo(0, 200)
    touch('touchstart', 100)
    touch('touchmove', 400)
    touch('touchend', 400)
    expect(onRefresh).not.toHaveBeenCalled()
  })
})

describe('figures that are written without rendering', () => {
  test('a price keeps its three parts', async () => {
    await render(
      <span data-testid="box">
        <BigFigure parts={{ lead: '1.08', bold: '47', raised: '2' }} />
      </span>,
    )
    const box = page.getByTestId('box')
    await expect.element(box).toHaveTextContent('1.08472')
    writeBigFigure(box.element() as HTMLElement, { lead: '1.09', bold: '00', raised: '1' })
    await expect.element(box).toHaveTextContent('1.09001')
  })

  test('a change turns its way with its sign', async () => {
    await render(
      <span data-testid="box">
        <ChangeFigure direction="up" text="+0.21 %" />
      </span>,
    )
    const box = page.getByTestId('box').element() as HTMLElement
    const colour = () => getComputedStyle(box.firstElementChild ?? box).color
    const rising = colour()
    writeChangeFigure(box, 'down', '−0.40 %')
    expect(box.textContent).toBe('−0.40 %')
    expect(colour()).not.toBe(rising)
  })

  test('a small chart turns its colour with the day', async () => {
    await render(
      <span data-testid="box">
        <Sparkline values={[1, 2]} tone="up" />
      </span>,
    )
    const box = page.getByTestId('box').element() as HTMLElement
    const colours = () =>
      [...box.querySelectorAll('path')].map((path) => [
        getComputedStyle(path).color,
        getComputedStyle(path).fill,
      ])
    const [area, line] = colours()
    writeSparklineTone(box, 'down')
    expect(colours()[0]?.[1]).not.toBe(area?.[1])
    expect(colours()[1]?.[0]).not.toBe(line?.[0])
  })

  test('nothing is written where the figure has gone', () => {
    const empty = document.createElement('span')
    writeSparklineTone(empty, 'up')
    writeSparklineTone(null, 'up')
    writeChangeFigure(empty, 'up', '+1')
    writeChangeFigure(null, 'up', '+1')
    writeBigFigure(null, { lead: '', bold: '1', raised: '' })
    expect(empty.textContent).toBe('')
  })
})

describe('what is in sight', () => {
  const Probe = ({ name }: { name: string }) => {
    const box = useRef<HTMLParagraphElement>(null)
    return <p ref={box}>{useIsSeen(box) ? `${name} seen` : `${name} not yet`}</p>
  }

  test('is known once it has come near the screen, and stays known', async () => {
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

describe('a form', () => {
  type Values = { name: string; town: string }
  function Form() {
    const form = useForm<Values>(() => ({ name: '', town: '' }))
    const { values, problems, set, refuse, note } = form
    return (
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault()
          refuse({ town: 'Write a town.' }, 'Not sent.')
        }}
      >
        <TextField
          label="Name"
          value={values.name}
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Town"
          value={values.town}
          problem={problems.town}
          onChange={(town) => set({ town })}
        />
        <p>{note}</p>
        <button type="submit">Send</button>
      </FormFrame>
    )
  }
  const name = () => page.getByRole('textbox', { name: 'Name' })
  const town = () => page.getByRole('textbox', { name: 'Town' })
  const send = () => page.getByRole('button', { name: 'Send' })

  test('that is refused keeps what was typed, and leads to the field', async () => {
    await render(<Form />)
    await name().fill('Ada')
    await send().click()
    await expect.element(town()).toHaveFocus()
    await expect.element(name()).toHaveValue('Ada')
    await expect.element(page.getByText('Not sent.')).toBeVisible()
  })

  test('refused for the same reason again leads there again', async () => {
    await render(<Form />)
    await send().click()
    await expect.element(town()).toHaveFocus()
    await name().click()
    await send().click()
    await expect.element(town()).toHaveFocus()
  })

  test('takes back what it said of a field that changes, and the sentence about all', async () => {
    await render(<Form />)
    await send().click()
    await expect.element(town()).toHaveAccessibleDescription('Write a town.')
    await town().fill('London')
    await expect.element(town()).toHaveAccessibleDescription('')
    await expect.element(page.getByText('Not sent.')).not.toBeInTheDocument()
  })
})

describe('a key that leads somewhere', () => {
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

  test('acts, unless somebody is typing or holds another key', async () => {
    await render(<Keyed hotkey="/" />)
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 1')).toBeVisible()
    await userEvent.keyboard('{Control>}/{/Control}')
    await page.getByRole('textbox', { name: 'Field' }).click()
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 1')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Field' })).toHaveValue('/')
  })

  test('is nothing where there is none', async () => {
    await render(<Keyed hotkey={null} />)
    await userEvent.keyboard('/')
    await expect.element(page.getByText('pressed 0')).toBeVisible()
  })
})

test('what depends on the width follows it', async () => {
  const Probe = () => <p>{useMediaQuery('(min-width: 64rem)') ? 'wide' : 'narrow'}</p>
  await render(<Probe />)
  await expect.element(page.getByText('narrow')).toBeVisible()
  await page.viewport(1440, 900)
  await expect.element(page.getByText('wide')).toBeVisible()
  await page.viewport(390, 844)
  await expect.element(page.getByText('narrow')).toBeVisible()
})
