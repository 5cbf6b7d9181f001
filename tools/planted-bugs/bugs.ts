import type { Bug } from './bug.ts'
import { CORE_BUGS } from './core-bugs.ts'
import { ENGINE_BUGS } from './engine-bugs.ts'
import { PRICE_BUGS } from './price-bugs.ts'

export const BUGS: readonly Bug[] = [...CORE_BUGS, ...ENGINE_BUGS, ...PRICE_BUGS]
