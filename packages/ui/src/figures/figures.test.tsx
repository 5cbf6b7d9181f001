import '../theme/theme.css'
import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { BigFigure, writeBigFigure } from './big-figure.tsx'
import { ChangeFigure, writeChangeFigure } from './change-figure.tsx'
import { Sparkline, writeSparklineTone } from './sparkline.tsx'

test('a sparkline has an accessible name only when it is labelled', async () => {
  await render(
    <>
      <Sparkline values={[1, 2, 3]} tone="up" label="EUR/USD, last 60 bars" />
      <Sparkline values={[1, 1]} tone="down" />
    </>,
  )
  await expect.element(page.getByRole('img', { name: 'EUR/USD, last 60 bars' })).toBeInTheDocument()
  expect(page.getByRole('img').elements()).toHaveLength(1)
})

describe('writing a figure without rendering', () => {
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

  test("a price replaces what a browser's translator put in its place", async () => {
    await render(
      <span data-testid="box">
        <BigFigure parts={{ lead: '1.08', bold: '47', raised: '2' }} />
      </span>,
    )
    const box = page.getByTestId('box').element() as HTMLElement
    for (const part of box.querySelectorAll('span')) {
      const font = document.createElement('font')
      font.append(...part.childNodes)
      part.append(font)
    }
    for (const bold of ['00', '01']) {
      writeBigFigure(box, { lead: '1.09', bold, raised: '1' })
      expect(box.textContent).toBe(`1.09${bold}1`)
    }
  })

  test('a price replaces what was put beside it', async () => {
    await render(
      <span data-testid="box">
        <BigFigure parts={{ lead: '1.08', bold: '47', raised: '2' }} />
      </span>,
    )
    const box = page.getByTestId('box').element() as HTMLElement
    for (const part of box.querySelectorAll('span')) {
      const font = document.createElement('font')
      font.textContent = part.textContent
      part.append(font)
    }
    writeBigFigure(box, { lead: '1.09', bold: '00', raised: '1' })
    expect(box.textContent).toBe('1.09001')
  })

  test('a change takes the colour of its direction', async () => {
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

  test('a sparkline takes the colour of its direction', async () => {
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

  test('does nothing when the figure is no longer rendered', () => {
    const empty = document.createElement('span')
    writeSparklineTone(empty, 'up')
    writeSparklineTone(null, 'up')
    writeChangeFigure(empty, 'up', '+1')
    writeChangeFigure(null, 'up', '+1')
    writeBigFigure(null, { lead: '', bold: '1', raised: '' })
    expect(empty.textContent).toBe('')
  })
})
