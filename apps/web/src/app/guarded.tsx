import { barrierOf } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useCaller } from '../live/auth/user.ts'
import { accessOf } from './routes.ts'
import type { RouteName } from './routes.ts'
import { ScreenSkeleton } from './error-boundary.tsx'
import { worded } from './worded.tsx'

const LoginFirst = worded('own', async () => (await import('./login-first.tsx')).LoginFirst)
const RealOnly = worded('own', async () => (await import('./real-only.tsx')).RealOnly)

/** A screen for those who may see it; the others are told what it takes. */
export function Guarded({ name, children }: { name: RouteName; children: ReactNode }) {
  const caller = useCaller()
  const access = accessOf(name)
  // Logged in, but it is not known yet whether to a demo: that matters for real accounts' screens only.
  if (caller === undefined && access === 'real') return <ScreenSkeleton />
  const barrier = barrierOf(access, caller ?? 'real')
  if (barrier === null) return children
  return barrier === 'realOnly' ? <RealOnly name={name} /> : <LoginFirst name={name} />
}
