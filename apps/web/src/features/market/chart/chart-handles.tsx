import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import type { ChartLine, ChartPort, LineHandle, LineTone, PriceScale } from './chart-port.ts'

/** A line that is being moved, and where to, in ticks. */
export type LineMove = { readonly id: string; readonly price: number }

export type HandledLine = ChartLine & { readonly handle: LineHandle }

type ChartHandlesProps = {
  port: ChartPort
  /** As drawn: the line that is being moved is where it was moved to. */
  lines: readonly HandledLine[]
  move: LineMove | null
  /** Called with every step of a move, and with null when it is given up. */
  onMove: (move: LineMove | null) => void
  /** Called at the end of a move. */
  onMoved: (move: LineMove) => void
}

/** Height and width of a handle in px: large enough for a finger. */
const SIZE = 44
/** Arrow keys with the page keys move by this many steps. */
const PAGE_STEPS = 10
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: PAGE_STEPS,
  PageDown: -PAGE_STEPS,
}

/**
 * Handles of the lines that can be moved, as elements above the canvas, so that finger, mouse, keyboard and screen reader
 * reach them. They are placed without React each time the chart draws.
 */
export function ChartHandles({ port, lines, move, onMove, onMoved }: ChartHandlesProps) {
  const box = useRef<HTMLDivElement>(null)
  const scale = useRef<PriceScale | null>(null)
  const shown = useRef(lines)
  useLayoutEffect(() => {
    shown.current = lines
    placeAll(box.current, scale.current, lines)
  })
  useEffect(
    () =>
      port.watchScale((next) => {
        scale.current = next
        placeAll(box.current, next, shown.current)
      }),
    [port],
  )
  const priceAt = (event: PointerEvent): number | null => {
    const top = box.current?.getBoundingClientRect().top
    if (top === undefined || !scale.current) return null
    const { height, priceAt: priceOf } = scale.current
    return priceOf(Math.max(0, Math.min(event.clientY - top, height)))
  }
  return (
    <div ref={box} className="pointer-events-none absolute inset-0 overflow-hidden">
      {lines.map((line) => (
        <Handle
          key={line.id}
          line={line}
          price={move?.id === line.id ? move.price : line.price}
          isMoving={move?.id === line.id}
          priceAt={priceAt}
          onMove={onMove}
          onMoved={onMoved}
        />
      ))}
    </div>
  )
}

type HandleProps = Pick<ChartHandlesProps, 'onMove' | 'onMoved'> & {
  line: HandledLine
  /** Where the handle is, in ticks. */
  price: number
  isMoving: boolean
  priceAt: (event: PointerEvent) => number | null
}

function Handle({ line, price, isMoving, priceAt, onMove, onMoved }: HandleProps) {
  const { handle, id } = line
  const to = handle.at(price)
  const drag = useRef<{ readonly from: number } | null>(null)
  const last = useRef<number | null>(null)
  const step = (next: number) => {
    last.current = next
    onMove({ id, price: next })
  }
  const finish = () => {
    const end = last.current
    drag.current = null
    last.current = null
    if (end !== null && end !== (line.anchor ?? line.price)) onMoved({ id, price: end })
    else onMove(null)
  }
  const giveUp = () => {
    drag.current = null
    last.current = null
    onMove(null)
  }
  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = priceAt(event)
    // The handle keeps its distance from the finger, so that a touch alone moves nothing.
    drag.current = at === null ? null : { from: price - at }
  }
  const pull = (event: PointerEvent<HTMLDivElement>) => {
    const at = drag.current && priceAt(event)
    if (drag.current === null || at === null) return
    const next = handle.snap(drag.current.from + at)
    if (next !== price) step(next)
  }
  const type = (event: KeyboardEvent) => {
    const steps = KEY_STEPS[event.key]
    if (steps !== undefined) step(handle.snap(price + steps * handle.step))
    else if (event.key === 'Enter' && isMoving) finish()
    else if (event.key === 'Escape' && isMoving) giveUp()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      data-price={price}
      data-line={id}
      data-moving={isMoving || undefined}
      className="group/line absolute end-0 top-0"
    >
      <div
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={handle.name}
        aria-valuemin={Math.min(price, 0)}
        aria-valuemax={Math.max(2 * Math.abs(price), 1)}
        aria-valuenow={price}
        aria-valuetext={isMoving ? `${to.label}, ${to.note}` : (line.label ?? '')}
        style={{ width: SIZE, height: SIZE }}
        className="group pointer-events-auto grid touch-none cursor-ns-resize place-items-center rounded-full outline-offset-[-4px]"
        onPointerDown={press}
        onPointerMove={pull}
        onPointerUp={() => drag.current && finish()}
        onPointerCancel={giveUp}
        onKeyDown={type}
        // A move by keys that is left without Enter is given up.
        onBlur={() => isMoving && giveUp()}
      >
        <span
          className={classNames(
            'size-5.5 rounded-full border-2 bg-page transition-[scale] group-active:scale-125',
            BORDERS[line.tone],
            isMoving && FILLS[line.tone],
          )}
        />
      </div>
      {isMoving && (
        <p
          aria-hidden
          className="absolute end-0 top-11 rounded-field bg-surface group-data-low/line:top-auto group-data-low/line:bottom-11 px-2.5 py-1 text-note whitespace-nowrap shadow-overlay"
        >
          {to.note}
        </p>
      )}
    </div>
  )
}

const BORDERS: Record<LineTone, string> = {
  brass: 'border-brass',
  up: 'border-up',
  down: 'border-down',
  ink: 'border-ink',
  quiet: 'border-third',
}
const FILLS: Record<LineTone, string> = {
  brass: 'bg-brass!',
  up: 'bg-up!',
  down: 'bg-down!',
  ink: 'bg-ink!',
  quiet: 'bg-third!',
}

/** Puts each handle at its price near the price axis; one that would cover another stands beside it. */
function placeAll(box: HTMLElement | null, scale: PriceScale | null, lines: readonly HandledLine[]): void {
  if (!box || !scale) return
  const taken: { readonly x: number; readonly y: number }[] = []
  for (const element of box.children) {
    if (!(element instanceof HTMLElement)) continue
    const line = lines.find(({ id }) => id === element.dataset['line'])
    const at = line ? scale.yOf(Number(element.dataset['price'])) : -1
    const inside = Math.max(0, Math.min(at, scale.height))
    // One that is being moved stays at the edge: hidden it would lose the finger or the focus.
    const isInside = at === inside || element.dataset['moving'] !== undefined
    const y = inside
    element.hidden = !isInside
    if (!isInside) continue
    const inTheWay = taken.filter((other) => Math.abs(other.y - y) < SIZE)
    const x = scale.left + scale.width - SIZE * (inTheWay.length + 1)
    taken.push({ x, y })
    // The note of a move stands above a line in the lower half, where the chart ends below it.
    element.toggleAttribute('data-low', y > scale.height / 2)
    element.style.transform = `translate(${x + SIZE - box.clientWidth}px, ${Math.round(y - SIZE / 2)}px)`
  }
}
