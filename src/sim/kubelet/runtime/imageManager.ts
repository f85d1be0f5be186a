import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import type { KubeletContext } from '../context.ts';
import type { ContainerRuntime } from './containerRuntime.ts';
import { goDuration } from './crashBackOff.ts';

/** Records a Kubernetes event. */
type Record = (pod: PodInput, eventType: string, reason: string, message: string, cause: Ref) => void;

/** What asking for an image came to; `failure` is null when the image is there. */
export interface ImageResult {
  readonly ref: Ref;
  readonly failure: { readonly reason: 'ErrImagePull' | 'ImagePullBackOff'; readonly message: string } | null;
}

const INITIAL = 10 * MICROS_PER_SECOND;
const MAX = 300 * MICROS_PER_SECOND;

/** Back-off of one image of one Pod. `since` is its last failure. */
interface Entry {
  readonly value: number;
  readonly since: Micros;
  readonly error: string;
}

/**
 * Brings an image to the node before a container is created; waits longer after each failed pull.
 * Source: pkg/kubelet/images/image_manager.go, EnsureImageExists (K-075).
 * Left out: imagePullPolicy Always on an image that is there, sizes, registries' limits.
 */
export class ImageManager {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly record: Record;
  private readonly backOff = new Map<string, Entry>();

  constructor(context: KubeletContext, runtime: ContainerRuntime, record: Record) {
    this.context = context;
    this.runtime = runtime;
    this.record = record;
  }

  *ensureImageExists(pod: PodInput, container: ContainerInput, cause: Ref): Task<ImageResult> {
    const { kernel } = this.context;
    const { image } = container;
    if (this.runtime.hasImage(container)) {
      const present = `Container image "${image}" already present on machine and can be accessed by the pod`;
      this.record(pod, 'Normal', 'Pulled', present, cause);
      return { ref: cause, failure: null };
    }
    const key = `${pod.uid}/${image}`;
    const entry = this.backOff.get(key);
    if (entry && kernel.now - entry.since < entry.value) {
      const message = `Back-off pulling image "${image}": ErrImagePull: ${entry.error}`;
      this.record(pod, 'Normal', 'BackOff', message, cause);
      this.record(pod, 'Warning', 'Failed', 'Error: ImagePullBackOff', cause);
      return { ref: cause, failure: { reason: 'ImagePullBackOff', message } };
    }
    this.record(pod, 'Normal', 'Pulling', `Pulling image "${image}"`, cause);
    const asked = kernel.now;
    const { ref, error } = yield* this.runtime.pullImage(pod, container, cause);
    if (error) {
      // An entry that nobody touched for twice the maximum starts over (client-go util/flowcontrol Backoff).
      const goesOn = entry !== undefined && kernel.now - entry.since <= 2 * MAX;
      this.backOff.set(key, { value: goesOn ? Math.min(2 * entry.value, MAX) : INITIAL, since: kernel.now, error });
      this.record(pod, 'Warning', 'Failed', `Failed to pull image "${image}": ${error}`, ref);
      this.record(pod, 'Warning', 'Failed', 'Error: ErrImagePull', ref);
      return { ref, failure: { reason: 'ErrImagePull', message: error } };
    }
    const took = goDuration(kernel.now - asked);
    this.record(pod, 'Normal', 'Pulled', `Successfully pulled image "${image}" in ${took}`, ref);
    return { ref, failure: null };
  }
}
