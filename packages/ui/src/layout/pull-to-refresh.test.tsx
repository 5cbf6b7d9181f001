import '../theme/theme.css'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { ScrollBox, useScrollBox } from '../navigation/scroll-box.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'

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

  test('refreshes it when pulled far enough, and announces it', async () => {
    const onRefresh = vi.fn()
    const { touch } = await open(onRefresh)
    touch('touchstart', 100)
    touch('touchmove', 300)
    touch('touchend', 300)
    expect(onRefresh).toHaveBeenCalledOnce()
    await expect.element(page.getByText('Refreshing')).toBeInTheDocument()
    await expect.element(page.getByText('Refreshing')).not.toBeInTheDocument()
  })

  test('closes half a second later', async () => {
    const { touch } = await open(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    touch('touchstart', 100)
    touch('touchmove', 300)
    touch('touchend', 300)
    vi.advanceTimersByTime(499)
    expect(vi.getTimerCount()).toBe(1)
    await expect.element(page.getByText('Refreshing')).toBeInTheDocument()
    vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    await expect.element(page.getByText('Refreshing')).not.toBeInTheDocument()
  })

  test('does nothing when pulled a little, or up', async () => {
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

  test('only scrolls from the middle of the list', async () => {
    const onRefresh = vi.fn()
    const { list, touch } = await open(onRefresh)
    list.closest('[data-scroll-box]')?.scrollTo(0, 200)
    touch('touchstart', 100)
    touch('touchmove', 400)
    touch('touchend', 400)
    expect(onRefresh).not.toHaveBeenCalled()
  })
})
