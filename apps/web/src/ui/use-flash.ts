import { useState } from 'react'
import type { CSSProperties } from 'react'
import type { Direction } from './change-figure.tsx'

const tints = { up: 'var(--up-tint)', down: 'var(--down-tint)', flat: 'transparent' }

/**
 * A style that tints for 400 ms whenever `value` changes, in the colour of its direction. The two animation names
 * alternate, because the same name would not run again.
 */
export function useFlash(value: number | null): CSSProperties {
  const [flash, setFlash] = useState<{ value: number | null; count: number; direction: Direction }>({
    value,
    count: 0,
    direction: 'flat',
  })
  if (value !== flash.value) {
    const isMove = value !== null && flash.value !== null
    const direction = !isMove ? 'flat' : value > (flash.value ?? 0) ? 'up' : 'down'
    setFlash({ value, count: flash.count + (isMove ? 1 : 0), direction })
  }
  if (flash.count === 0) return {}
  return {
    animation: `${flash.count % 2 === 0 ? 'tint-a' : 'tint-b'} 400ms ease-out`,
    '--tint': tints[flash.direction],
  } as CSSProperties
}
