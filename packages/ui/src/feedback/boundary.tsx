import { Component, type ReactNode, Suspense } from 'react'
import { forgetMissingPart, reportMissingPart } from './missing-part.ts'

/** Why a screen is not shown: an error in its code, or a file that could not be loaded. */
export type Failure = 'code' | 'part'

/** Each browser has another message, as has the bundler's preload event. */
const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|Unable to preload/i.test(error.message)

type BoundaryProps = {
  children: ReactNode
  /** Shown in place of what failed. Offers to reload where a part is missing: it stays missing until then. */
  instead: (failure: Failure, retry: () => void) => ReactNode
  onFailure: (failure: Failure) => void
}

class Boundary extends Component<BoundaryProps, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null }

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: isMissingPart(error) ? 'part' : 'code' }
  }

  override componentDidCatch(): void {
    if (this.state.failure !== null) this.props.onFailure(this.state.failure)
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : this.props.instead(failure, this.#retry)
  }

  readonly #retry = (): void => this.setState({ failure: null })
}

/** Confines a failure to its screen: the rest of the app keeps working, and the screen itself says what to do. */
export const ScreenBoundary = (props: Omit<BoundaryProps, 'onFailure'>) => (
  <Boundary {...props} onFailure={(failure) => failure === 'part' && forgetMissingPart()} />
)

type SmallPartProps = {
  children: ReactNode
  /** Shown while the part loads. */
  loading?: ReactNode
  /** Shown when the part cannot be loaded or fails; nothing by default. */
  instead?: ReactNode
}

/** A lazy part beside, above or within a screen. Without it everything else keeps working, and a banner offers the reload. */
export const SmallPart = ({ children, loading = null, instead = null }: SmallPartProps) => (
  <Boundary instead={() => instead} onFailure={reportMissingPart}>
    <Suspense fallback={loading}>{children}</Suspense>
  </Boundary>
)
