import { create } from 'zustand'

type AppVersion = {
  /** `ready`: a new version waits for the user's press. `replaced`: another window has already changed to it. */
  readonly update: 'none' | 'ready' | 'replaced'
  /** The server has changed so much that this version must not send changes any more. */
  readonly isOutdated: boolean
  /** Reloads the page with the newest version. */
  readonly reload: () => void
}

/** The version of the app in this window. */
export const useAppVersion = create<AppVersion>(() => ({
  update: 'none',
  isOutdated: false,
  reload: () => location.reload(),
}))
