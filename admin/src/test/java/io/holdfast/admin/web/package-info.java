/** Tests of the REST API, over a real server. */
@NullMarked
package io.holdfast.admin.web;

import org.jspecify.annotations.NullMarked;
