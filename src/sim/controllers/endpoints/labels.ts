import { sameData } from '../../../base/equal.ts';
import { isHeadless, LABEL, type Labels, MANAGED_BY, type ServiceObject } from '../../api/objects.ts';

/** Since 1.33 the controller marks its objects (KEP-4974, C-140). */
const marksItsObjects = (minor: number): boolean => minor >= 33;

/** Labels of a Service's Endpoints object: the Service's own, the mark of the controller, and whether it is headless. */
export function endpointsLabels(service: ServiceObject, minor: number): Labels {
  const { [LABEL.headless]: _headless, ...own } = service.meta.labels;
  return {
    ...own,
    ...(marksItsObjects(minor) && { [LABEL.endpointsManagedBy]: MANAGED_BY.endpointsController }),
    ...(isHeadless(service) && { [LABEL.headless]: '' }),
  };
}

/** Whether an object has the labels that it should have, whatever it says of being headless. */
export function areLabelsRight(
  { [LABEL.headless]: _headless, ...labels }: Labels,
  service: ServiceObject,
  minor: number,
): boolean {
  if (!marksItsObjects(minor)) return sameData(labels, service.meta.labels);
  const { [LABEL.endpointsManagedBy]: managedBy, ...others } = labels;
  return managedBy === MANAGED_BY.endpointsController && sameData(others, service.meta.labels);
}
