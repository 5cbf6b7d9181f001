import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { reportMissingPart } from '../feedback/missing-part.ts'
import { useOnceTrue } from '../hooks/use-once-true.ts'

/**
 * An overlay whose code loads when it first opens. Where that fails it closes again, with the screen below as it was, and the
 * missing part is reported; the next opening tries again.
 */
export function lazyOverlay<Props extends { isOpen: boolean; onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Overlay(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const isNeeded = useOnceTrue(props.isOpen)
    const show = useEffectEvent((component: ComponentType<Props>) => {
      loaded = component
      setLoaded(() => component)
    })
    const giveUp = useEffectEvent(() => {
      reportMissingPart()
      props.onClose()
    })
    useEffect(() => {
      if (!props.isOpen || Loaded !== null) return
      let isCurrent = true
      load().then(
        (component) => isCurrent && show(component),
        () => isCurrent && giveUp(),
      )
      return () => void (isCurrent = false)
    }, [props.isOpen, Loaded])
    return isNeeded && Loaded !== null ? <Loaded {...props} /> : null
  }
}
