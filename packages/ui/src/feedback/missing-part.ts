import { create } from 'zustand'

/** Whether a part of the app could not be loaded: until a reload, what needs it stays missing. */
export const useMissingPart = create<{ readonly isMissing: boolean }>(() => ({ isMissing: false }))

/** Says so where all screens see it. */
export const reportMissingPart = (): void => useMissingPart.setState({ isMissing: true })

/** Takes that back, where a screen itself offers the reload. */
export const forgetMissingPart = (): void => useMissingPart.setState({ isMissing: false })

/** Notices every part of the app that fails to load, also in advance. Called once. */
export const watchMissingParts = (): void => addEventListener('vite:preloadError', reportMissingPart)
