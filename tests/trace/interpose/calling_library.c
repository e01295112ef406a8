/* SPDX-License-Identifier: MIT
 * A library that calls the driver; copies of it are many libraries.
 */
__attribute__((visibility("default"))) int call(int (*driver)(unsigned)) {
  return driver(0) != 0;
}
