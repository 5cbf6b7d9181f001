import { useRef } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useStayAtEnd } from './use-stay-at-end.ts'

function Lines() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useStayAtEnd(box, content, 40)
  return (
    <div ref={box} role="log" style={{ height: 200, overflowY: 'auto' }}>
      <div ref={content}>
        {Array.from({ length: 40 }, (_, line) => (
          <p key={line}>line {line + 1}</p>
        ))}
      </div>
    </div>
  )
}

const boxOf = async () => {
  await render(<Lines />)
  await expect.element(page.getByText('line 40')).toBeInViewport()
  return page.getByRole('log').element()
}

test('stays at the end when the box shrinks, even if an earlier scroll event arrives late', async () => {
  const box = await boxOf()
  box.setAttribute('style', 'height: 80px; overflow-y: auto')
  box.dispatchEvent(new Event('scroll'))
  await expect.poll(() => box.scrollHeight - box.scrollTop - box.clientHeight).toBeLessThan(1)
})

test('keeps the position of a user who has scrolled away', async () => {
  const box = await boxOf()
  box.scrollTo(0, 0)
  await expect.element(page.getByText('line 1', { exact: true })).toBeInViewport()
  box.dispatchEvent(new Event('scroll'))
  box.setAttribute('style', 'height: 80px; overflow-y: auto')
  await expect.poll(() => box.clientHeight).toBe(80)
  expect(box.scrollTop).toBe(0)
})
