import type { Bug } from './bug.ts'
import { CORE_BUGS } from './core-bugs.ts'
import { DOOR_BUGS } from './door-bugs.ts'
import { ENGINE_BUGS } from './engine-bugs.ts'

export const BUGS: readonly Bug[] = [...CORE_BUGS, ...ENGINE_BUGS, ...DOOR_BUGS]
